import { DomainError } from '@palisade/domain';

/** RFC 7644 §3.12, table 9, and RFC 9865 §2.1, table 3. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive'
  | 'invalidCursor'
  | 'expiredCursor'
  | 'invalidCount';

/** A request that SCIM refuses: becomes the Error resource of RFC 7644 §3.12. */
export class ScimError extends DomainError {
  override readonly name = 'ScimError';
  readonly code = 'SCIM';

  /** @param detail for the client: names the attribute or position, and says what was expected */
  constructor(
    readonly status: number,
    readonly scimType: ScimType | undefined,
    readonly detail: string,
    options?: ErrorOptions,
  ) {
    super(detail, options);
  }
}

/** A 400 with the detail type of RFC 7644 §3.12. */
export function badRequest(scimType: ScimType, detail: string): ScimError {
  return new ScimError(400, scimType, detail);
}
