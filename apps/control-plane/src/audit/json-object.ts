/** The object that a text holds; undefined when it is no JSON, or another value. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}
