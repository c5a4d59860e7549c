/** The parts of a statement that may leave the service. */
export interface StatementSummary {
  /** `SELECT`, `INSERT`, `BEGIN`, …: the first word, or the main verb of a statement that begins with `with`. */
  readonly operation: string;
  /** The operation and its first table, if any; there are few different ones. */
  readonly summary: string;
  /** The text with `?` for each literal but numbers, and without comments; at most 4096 characters. */
  readonly text: string;
}

const MAX_TEXT_LENGTH = 4096;
/** Fixed statements are far fewer; those with filters and sorts have as many forms as clients choose. */
const MAX_KNOWN = 500;
const MAX_KNOWN_LENGTH = 8192;

const CHANGE = /\b(insert\s+into|delete\s+from|(?<!\bfor\s)update)\s+"?([a-z_]\w*)/i;
/** Not what is selected from a function, whose name a parenthesis follows. */
const TABLE = /\bfrom\s+"?([a-z_]\w*)(?![\w(#])/i;
const MAX_NESTING = 16;
/** Parts that are not SQL keywords or names: comments, quoted names, and dollar-quoted, escaped and plain literals. */
const OPAQUE =
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)|"[^"]*(?:"|$)|\$((?:[a-z_]\w*)?)\$[^]*?(?:\$\1\$|$)|\be'(?:[^'\\]|\\[^]?)*(?:'|$)|'[^']*(?:'|$)/gi;

const known = new Map<string, StatementSummary>();

/** Describes a statement without its values. */
export function summarize(text: string): StatementSummary {
  const summary = known.get(text);
  if (summary !== undefined) {
    return summary;
  }
  const made = makeSummary(text);
  if (known.size < MAX_KNOWN && text.length <= MAX_KNOWN_LENGTH) {
    known.set(text, made);
  }
  return made;
}

function makeSummary(statement: string): StatementSummary {
  const text = withoutLiterals(statement);
  const { operation, table } = classify(text);
  const summary = table === undefined ? operation : `${operation} ${table}`;
  return { operation, summary, text: text.slice(0, MAX_TEXT_LENGTH) };
}

function classify(text: string): { readonly operation: string; readonly table?: string } {
  const [word = 'STATEMENT'] = /[a-z]+/i.exec(text) ?? [];
  const first = word.toUpperCase();
  const change = first === 'SELECT' ? null : CHANGE.exec(text);
  if (change !== null) {
    const [, verb = '', table] = change;
    return { operation: (/^[a-z]+/i.exec(verb)?.[0] ?? first).toUpperCase(), table };
  }
  const table = TABLE.exec(first === 'SELECT' ? outermost(text) : text) ?? TABLE.exec(text);
  return { operation: first === 'WITH' ? 'SELECT' : first, table: table?.[1] };
}

/** Without what stands within parentheses. */
function outermost(text: string): string {
  let [before, after] = ['', text];
  for (let depth = 0; depth < MAX_NESTING && before !== after; depth++) {
    before = after;
    // What takes their place tells a function from a table.
    after = before.replaceAll(/\([^()]*\)/g, '#');
  }
  return after;
}

/** Values are parameters; this removes any that is in the text after all. An unterminated literal extends to the end. */
function withoutLiterals(text: string): string {
  return text.replaceAll(OPAQUE, (found) => {
    if (found.startsWith('"')) {
      return found;
    }
    return found.startsWith('--') || found.startsWith('/*') ? ' ' : '?';
  });
}
