/** What of a statement may be told to others. */
export interface StatementSummary {
  /** `SELECT`, `INSERT`, `BEGIN`, …: the first word, or what a statement that begins with `with` is for. */
  readonly operation: string;
  /** The operation, and the first table that it is about if there is one: one of few. */
  readonly summary: string;
  /** The text with `?` for each literal but numbers, and without comments; at most 4096 characters. */
  readonly text: string;
}

const MAX_TEXT_LENGTH = 4096;
/** Fixed statements are far fewer. What filters and sorts shape comes in as many forms as clients like. */
const MAX_KNOWN = 500;
const MAX_KNOWN_LENGTH = 8192;

const CHANGE = /\b(insert\s+into|delete\s+from|(?<!\bfor\s)update)\s+"?([a-z_]\w*)/i;
/** Not what is selected from a function, whose name a parenthesis follows. */
const TABLE = /\bfrom\s+"?([a-z_]\w*)(?![\w(#])/i;
const MAX_NESTING = 16;
/** What is not to be read as SQL: comments, quoted names, and literals with dollars, with escapes, and plain ones. */
const OPAQUE =
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)|"[^"]*(?:"|$)|\$((?:[a-z_]\w*)?)\$[^]*?(?:\$\1\$|$)|\be'(?:[^'\\]|\\[^]?)*(?:'|$)|'[^']*(?:'|$)/gi;

const known = new Map<string, StatementSummary>();

/** Describes a statement without anything that it carries. */
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

/** Values are parameters; should one ever stand in a text, it does not leave. One that is not ended goes to the end of the text. */
function withoutLiterals(text: string): string {
  return text.replaceAll(OPAQUE, (found) => {
    if (found.startsWith('"')) {
      return found;
    }
    return found.startsWith('--') || found.startsWith('/*') ? ' ' : '?';
  });
}
