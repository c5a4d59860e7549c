import { ScimError } from '@palisade/scim';

/** The endpoint exists, the method does not (RFC 9110 §15.5.6 demands `Allow`). */
export class MethodNotAllowedError extends ScimError {
  constructor(readonly allow: string) {
    super(405, undefined, `expected one of the methods ${allow}`);
  }
}

/** @throws {MethodNotAllowedError} always */
export function refuseMethod(allow: string): never {
  throw new MethodNotAllowedError(allow);
}
