const LABELS = { 'scim-service': 'scim   ', 'control-plane': 'control' };

const MAX_CAUSES = 5;

/**
 * Formats a line of a service's log for people: time, service, level unless info, message; an error with its causes, and with
 * its stack above the level of a warning.
 */
export function formatLogLine(service, line) {
  const label = LABELS[service] ?? service;
  const record = parse(line);
  if (record === undefined) {
    return `${' '.repeat(8)} ${label} ${line}`;
  }
  const time = new Date(record.time).toTimeString().slice(0, 8);
  const level = record.level === 'info' ? '' : `${record.level.toUpperCase()} `;
  return [`${time} ${label} ${level}${describe(record)}`, ...describeError(record)].join('\n');
}

function describeError({ level, err }) {
  const lines = [];
  for (let error = err; typeof error === 'object' && error !== null && lines.length < MAX_CAUSES; error = error.cause) {
    const text = `${error.type ?? 'Error'}: ${error.message ?? ''}`;
    const hasStack = level !== 'warn' && typeof error.stack === 'string';
    lines.push(`  ${lines.length === 0 ? '' : 'caused by '}${hasStack ? error.stack : text}`);
  }
  return lines;
}

function describe({ msg, method, path, status, ms }) {
  return msg === 'request' ? `${method} ${path} ${status} ${ms} ms` : msg;
}

function parse(line) {
  try {
    const record = JSON.parse(line);
    return typeof record?.level === 'string' && typeof record.msg === 'string' ? record : undefined;
  } catch {
    return undefined;
  }
}
