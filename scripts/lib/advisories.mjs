const STOPPING = new Set(['high', 'critical']);

/**
 * What `npm audit --json` has found that a release must not have: `{ found }`, one text each, or `{ unanswered }`, why the
 * registry said nothing. Only a whole report counts as an answer: that nothing was found must not be a misunderstanding.
 */
export function readAdvisories(output) {
  const report = parse(output);
  if (report?.auditReportVersion !== 2 || typeof (report.vulnerabilities ?? undefined) !== 'object') {
    return { unanswered: String(report?.message || report?.error?.summary || 'no report') };
  }
  return {
    found: Object.values(report.vulnerabilities)
      .filter(({ severity }) => STOPPING.has(severity))
      .map(({ name, severity, range, via }) => `${name} ${range} (${severity}): ${via.map(describeCause).join('; ')}`),
  };
}

/** An advisory, or the name of the dependency that has one. */
function describeCause(cause) {
  return typeof cause === 'string' ? `through ${cause}` : `${cause.title} ${cause.url}`;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
