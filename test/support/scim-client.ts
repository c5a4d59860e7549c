import type { JsonObject, ProviderId } from '@palisade/domain';
import request, { type Test } from 'supertest';

export const SCIM_TYPE = 'application/scim+json';

/** Speaks SCIM with one credential; paths start below `/scim/v2`. Answers of every status are returned, none is thrown. */
export class ScimClient {
  constructor(
    /** `http://host:port` of the service. */
    readonly origin: string,
    /** The provider that the token belongs to. */
    readonly provider: ProviderId,
    readonly token: string,
  ) {}

  get(path: string): Test {
    return this.authorize(request(this.origin).get(`/scim/v2${path}`));
  }

  /** `get` with query parameters, which are percent-encoded. */
  query(path: string, parameters: Readonly<Record<string, string | number>>): Test {
    return this.get(path).query(parameters);
  }

  post(path: string, body: JsonObject): Test {
    return this.sendJson(request(this.origin).post(`/scim/v2${path}`), body);
  }

  put(path: string, body: JsonObject): Test {
    return this.sendJson(request(this.origin).put(`/scim/v2${path}`), body);
  }

  patch(path: string, body: JsonObject): Test {
    return this.sendJson(request(this.origin).patch(`/scim/v2${path}`), body);
  }

  /** A GET on an absolute URI that the service gave. */
  follow(uri: string): Test {
    return this.authorize(request(uri).get(''));
  }

  delete(path: string): Test {
    return this.authorize(request(this.origin).delete(`/scim/v2${path}`));
  }

  /** The same provider with another token. */
  withToken(token: string): ScimClient {
    return new ScimClient(this.origin, this.provider, token);
  }

  private sendJson(test: Test, body: JsonObject): Test {
    return this.authorize(test).set('Content-Type', SCIM_TYPE).send(JSON.stringify(body));
  }

  private authorize(test: Test): Test {
    return test.set('Authorization', `Bearer ${this.token}`);
  }
}
