/** Licences that a dependency in production may have. */
export const ALLOWED_LICENCES: ReadonlySet<string>;

/** Packages that the lockfile installs without development; a licence that is not told is undefined. */
export function productionLicences(
  root: string,
): readonly { readonly name: string; readonly version: string; readonly licence: string | undefined }[];

/** Whether an SPDX expression can be satisfied with allowed licences alone. What cannot be read is not. */
export function isAllowedLicence(expression: string | undefined): boolean;
