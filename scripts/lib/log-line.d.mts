/** A line of a service's log for a person who watches. */
export function formatLogLine(service: string, line: string): string;
