package dev.staithe.delegation.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.door.RestClient.Answer;

/** The three ways to delegate by REST, as their clients do it. */
enum Shape {
  FTS {
    @Override
    Open begin(RestClient client) {
      String id = id(client);
      Answer answer = client.get("/delegation/" + id + "/request");
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
      assertThat(answer.header("X-Delegation-ID")).isEqualTo(id);
      return new Open(id, answer.body());
    }

    @Override
    Open withoutRequest(RestClient client) {
      return new Open(id(client), "");
    }

    private String id(RestClient client) {
      return client.get("/whoami").json().get("delegation_id").asString();
    }

    @Override
    Answer put(RestClient client, String id, String chain) {
      return client.send("PUT", "/delegation/" + id + "/credential", chain);
    }

    @Override
    Answer look(RestClient client, String id) {
      return client.get("/delegation/" + id);
    }

    @Override
    Answer destroy(RestClient client, String id) {
      return client.send("DELETE", "/delegation/" + id, "");
    }
  },
  AREX {
    @Override
    Open begin(RestClient client) {
      Answer answer = client.send("POST", "/arex/rest/1.0/delegations?action=new", "");
      assertThat(answer.status()).as(answer.body()).isEqualTo(201);
      String location = answer.header("Location");
      return new Open(location.substring(location.lastIndexOf('/') + 1), answer.body());
    }

    @Override
    Open withoutRequest(RestClient client) {
      return new Open("0123456789abcdef0123456789abcdef", "");
    }

    @Override
    Answer put(RestClient client, String id, String chain) {
      return client.send(
          "PUT",
          "/arex/rest/1.0/delegations/" + id,
          chain,
          "Content-Type",
          "application/x-pem-file");
    }

    @Override
    Answer look(RestClient client, String id) {
      return client.send("POST", "/delegations/" + id + "?action=get", "");
    }

    @Override
    Answer destroy(RestClient client, String id) {
      return client.send("POST", "/delegations/" + id + "?action=delete", "");
    }
  },
  API {
    @Override
    Open begin(RestClient client) {
      Answer answer = client.json("POST", "/api/delegations", "{\"id\":\"mine\"}");
      assertThat(answer.status()).as(answer.body()).isEqualTo(201);
      return new Open(answer.json().get("id").asString(), answer.json().get("request").asString());
    }

    @Override
    Open withoutRequest(RestClient client) {
      return new Open("nothing-begun", "");
    }

    @Override
    Answer put(RestClient client, String id, String chain) {
      return client.send("PUT", "/api/delegations/" + id + "/credential", chain);
    }

    @Override
    Answer look(RestClient client, String id) {
      return client.get("/api/delegations/" + id);
    }

    @Override
    Answer destroy(RestClient client, String id) {
      return client.send("DELETE", "/api/delegations/" + id, "");
    }
  };

  /** A request that waits for its proxy. */
  record Open(String id, String request) {}

  /** Asks for a request. */
  abstract Open begin(RestClient client);

  /** An id that such a client would put to, with nothing begun. */
  abstract Open withoutRequest(RestClient client);

  abstract Answer put(RestClient client, String id, String chain);

  /** Asks for one's own. */
  abstract Answer look(RestClient client, String id);

  abstract Answer destroy(RestClient client, String id);
}
