/** Services that have a client. */
export const SERVICES: readonly string[];

/** Where the types of a service are, from the root of the workspace. */
export function clientTypesPath(service: string): string;

/** What should stand there. */
export function renderClientTypes(service: string): Promise<string>;
