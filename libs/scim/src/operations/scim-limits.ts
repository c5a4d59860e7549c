/** Bounds of the protocol surface; they are advertised in /ServiceProviderConfig. */
export const SCIM_LIMITS = {
  /** Resources per page without `count`. */
  defaultPageSize: 100,
  /** Resources per page at most; a larger `count` is answered with this many. */
  maxPageSize: 1000,
  /** Operations of one Bulk request. */
  maxBulkOperations: 1000,
  /** Body of one Bulk request. */
  maxBulkBytes: 8 * 1024 * 1024,
  /** Body of any other request. */
  maxBodyBytes: 1024 * 1024,
  /** Elements of lists and members of objects in one body, and in one of Bulk. */
  maxBodyValues: 100_000,
  maxBulkValues: 400_000,
  /** Attributes of one resource, as JSON; however many requests they came with. */
  maxResourceBytes: 256 * 1024,
} as const;
