/** Every text that the given one begins with, from the empty one to itself. */
export function prefixesOf(text: string): string[] {
  return Array.from({ length: text.length + 1 }, (_, length) => text.slice(0, length));
}
