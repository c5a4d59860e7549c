const DATE_TIME =
  /^(?<date>\d{4}-\d\d-\d\d)T(?<time>\d\d:\d\d:\d\d)(?:\.(?<fraction>\d+))?(?:Z|(?<sign>[+-])(?<offset>\d\d:\d\d))?$/;

/** XML Schema part 2, §3.2.7.3: offsets reach from -14:00 to +14:00. */
const MAX_OFFSET_MINUTES = 14 * 60;

/**
 * An xsd:dateTime (RFC 7643 §2.3.5) as UTC with milliseconds, `YYYY-MM-DDTHH:mm:ss.sssZ`: equal instants give equal
 * texts, later ones texts that sort later. A value without a time zone counts as UTC; finer fractions are cut off.
 * Undefined when the text is no valid date and time of the years 0001 to 9999.
 */
export function toCanonicalDateTime(text: string): string | undefined {
  const groups = DATE_TIME.exec(text)?.groups;
  if (groups === undefined) {
    return undefined;
  }
  const { date = '', time = '', fraction = '', sign = '+', offset = '00:00' } = groups;
  const instant = startOfDay(date);
  const timeMs = millisecondsOf(time, fraction);
  const offsetMinutes = minutesOf(offset);
  if (instant === undefined || timeMs === undefined || offsetMinutes === undefined) {
    return undefined;
  }
  instant.setTime(instant.getTime() + timeMs - Number(`${sign}1`) * offsetMinutes * 60_000);
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9999 ? instant.toISOString() : undefined;
}

function startOfDay(date: string): Date | undefined {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const start = new Date(0);
  start.setUTCFullYear(year, month - 1, day);
  const isInCalendar = year >= 1 && start.getUTCMonth() === month - 1 && start.getUTCDate() === day;
  return isInCalendar ? start : undefined;
}

function millisecondsOf(time: string, fraction: string): number | undefined {
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  const ms = ((hour * 60 + minute) * 60 + second) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
  // XML Schema allows 24:00:00, the first instant of the next day, and no leap second.
  const isEndOfDay = hour === 24 && minute === 0 && second === 0 && !/[1-9]/.test(fraction);
  return (hour <= 23 && minute <= 59 && second <= 59) || isEndOfDay ? ms : undefined;
}

function minutesOf(offset: string): number | undefined {
  const [hours = 0, minutes = 0] = offset.split(':').map(Number);
  const total = hours * 60 + minutes;
  return minutes <= 59 && total <= MAX_OFFSET_MINUTES ? total : undefined;
}
