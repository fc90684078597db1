// The service that the client calls, in the language of soapcpp2.
#import "wsse.h"

//gsoap t service name: tide
//gsoap t service style: document
//gsoap t service encoding: literal
//gsoap t schema namespace: urn:staithe:tide
//gsoap t schema form: qualified

struct t__answer { char *height; };

//gsoap t service method-action: tide urn:staithe:tide:ask
int t__ask(char *port, struct t__answer *answer);
