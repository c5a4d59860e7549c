/** The instances that the variables choose. */
export const CHOSEN = 'job=~"$job", instance=~"$instance"';

const IS_CALL = 'route!~"/metrics|/health/.*"';

/** A selector; `matchers` come after those of the chosen instances. */
export function of(metric, ...matchers) {
  return `${metric}{${[CHOSEN, ...matchers].join(', ')}}`;
}

/** Requests, probes and scrapes left out, as a part of the histogram: `count`, `sum` or `bucket`. */
export function requests(part, ...matchers) {
  return of(`http_request_duration_seconds_${part}`, IS_CALL, ...matchers);
}

export function rate(selector) {
  return `rate(${selector}[$__rate_interval])`;
}

export function sumRate(selector, ...labels) {
  return `${sumBy(labels)}(${rate(selector)})`;
}

/** Zero instead of nothing when what is counted has never happened. */
export function orZero(expression) {
  return `(${expression} or vector(0))`;
}

export function ratio(part, whole) {
  return `${orZero(sumRate(part))} / ${sumRate(whole)}`;
}

export function quantile(share, buckets, ...labels) {
  return `histogram_quantile(${share}, ${sumRate(buckets, ...labels, 'le')})`;
}

/** The largest ones only, however many there are. */
export function top(expression, count = 10) {
  return `topk(${count}, ${expression})`;
}

/** Every replica tells the same of what is in the store: one of them is enough. */
export function told(metric, labels, ...matchers) {
  return `max by (${labels}) (${of(metric, ...matchers)})`;
}

function sumBy(labels) {
  return labels.length === 0 ? 'sum' : `sum by (${labels.join(', ')}) `;
}
