-- All that a provider names one person by. Rows are never deleted but by an operator's word.
CREATE TABLE slcs_identifier (
  provider VARCHAR(1024) NOT NULL,
  id       VARCHAR(256)  NOT NULL,
  -- subject-id, eduPersonUniqueId, eduPersonPrincipalName or pairwise-id; any: from before it was kept.
  kind     VARCHAR(40)   NOT NULL,
  -- As in slcs_name.
  person   VARCHAR(256)  NOT NULL,
  PRIMARY KEY (provider, id, kind)
);
CREATE INDEX slcs_identifier_person ON slcs_identifier (provider, person);

INSERT INTO slcs_identifier (provider, id, kind, person)
  SELECT provider, person, 'any', person FROM slcs_name;
