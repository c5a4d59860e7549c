const names = new Map<string, string>();

/**
 * Registers a statement that runs often, so that each connection has it parsed and planned only once; gives the text
 * back. Only for texts that are fixed when the module loads: the server keeps a prepared statement as long as the
 * connection lives, so nothing that a caller shapes (a filter, a sort) may be registered.
 */
export function prepared(text: string): string {
  if (!names.has(text)) {
    names.set(text, `palisade_${names.size + 1}`);
  }
  return text;
}

/** The name that a registered statement is prepared under; undefined for any other text. */
export function statementName(text: string): string | undefined {
  return names.get(text);
}
