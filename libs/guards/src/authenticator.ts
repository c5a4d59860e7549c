import type { Api, Principal } from './principal.js';

/** What a caller presented, and where. */
export interface BearerCredential {
  readonly token: string;
  readonly api: Api;
}

/** Identifies callers by their credentials. The app implements it; {@link BearerTokenGuard} asks it on every request. */
export abstract class Authenticator {
  /**
   * Considers only credentials of `credential.api`: a token of the other API is as unknown as an invented one, so that no
   * answer reveals that it is valid elsewhere.
   *
   * @throws {UnauthenticatedError} when the credential is unknown, expired or revoked
   * @throws {IssuerUnavailableError} when the keys that would verify it cannot be loaded
   */
  abstract authenticate(credential: BearerCredential): Promise<Principal>;
}
