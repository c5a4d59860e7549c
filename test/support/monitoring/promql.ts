export interface Selector {
  readonly metric: string;
  /** The labels of its matchers. */
  readonly labels: readonly string[];
  /** What it is directly inside of, if anything: `rate`, `sum`, … */
  readonly within: string | undefined;
}

const SELECTOR = /(?:\b(\w+)\()?\b([a-zA-Z_]\w*)\{([^{}]*)\}/g;
const MATCHER = /(\w+)\s*(?:=~|!~|!=|=)\s*"[^"]*"/g;
const GROUPING = /\b(?:by|on|without)\s*\(([^()]*)\)/g;

/** The selectors of an expression, each of which has to have braces. */
export function selectorsOf(expression: string): Selector[] {
  return [...expression.matchAll(SELECTOR)].map(([, within, metric = '', matchers = '']) => ({
    metric,
    labels: [...matchers.matchAll(MATCHER)].map(([, label = '']) => label),
    within,
  }));
}

/** The labels that an expression groups or joins by. */
export function groupingsOf(expression: string): string[] {
  return [...expression.matchAll(GROUPING)].flatMap(([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  );
}

/** The name of the metric that a series belongs to: histograms have three. */
export function familyOf(metric: string, types: ReadonlyMap<string, string>): string {
  const base = metric.replace(/_(?:bucket|sum|count)$/, '');
  return types.has(metric) || !types.has(base) ? metric : base;
}
