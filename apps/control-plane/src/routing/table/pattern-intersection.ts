import { matchesNamespace, patternShape, type NamespacePattern } from '@palisade/domain';

const MAX_NAMESPACE_LENGTH = 63;
/** Two patterns have so many common ones only when they were made to. */
const MAX_PARTS = 64;
const MAX_STEPS = 20_000;

/**
 * Patterns that together match exactly the namespaces that both match; none when there is no such namespace. Undefined
 * when it would take too many.
 */
export function intersectPatterns(a: NamespacePattern, b: NamespacePattern): readonly NamespacePattern[] | undefined {
  const simple = patternShape(a) === 'exact' ? [a, b] : patternShape(b) === 'exact' ? [b, a] : undefined;
  if (simple !== undefined) {
    const [name, other] = simple as [NamespacePattern, NamespacePattern];
    return matchesNamespace(other, name) ? [name] : [];
  }
  return new Intersection(a, b).parts();
}

/** Walks both patterns at once; each way to the end of both is a pattern of its own. */
class Intersection {
  private readonly found = new Set<string>();
  private readonly visited = new Set<string>();
  private steps = 0;

  constructor(
    private readonly a: NamespacePattern,
    private readonly b: NamespacePattern,
  ) {}

  parts(): readonly NamespacePattern[] | undefined {
    this.walk(0, 0, '');
    if (this.steps > MAX_STEPS) {
      return undefined;
    }
    const parts = withoutCovered([...this.found].filter(isPossible).map((text) => text as NamespacePattern));
    return parts.length > MAX_PARTS ? undefined : parts;
  }

  /** @param text what both patterns have said up to here */
  private walk(ofA: number, ofB: number, text: string): void {
    const state = `${ofA} ${ofB} ${text}`;
    if (this.visited.has(state) || this.steps > MAX_STEPS) {
      return;
    }
    this.visited.add(state);
    this.steps += 1;
    const [left, right] = [this.a[ofA], this.b[ofB]];
    if (left === undefined && right === undefined) {
      this.found.add(text);
      return;
    }
    const said = left === '*' && right === '*' && !text.endsWith('*') ? `${text}*` : text;
    if (left === '*') {
      this.walk(ofA + 1, ofB, said);
    }
    if (right === '*') {
      this.walk(ofA, ofB + 1, said);
    }
    const common = left === undefined || right === undefined ? undefined : commonToken(left, right);
    if (common !== undefined) {
      this.walk(ofA + Number(left !== '*'), ofB + Number(right !== '*'), text + common);
    }
  }
}

/** The one character that both tokens accept, or `?` for any; nothing to say where both are `*`. */
function commonToken(left: string, right: string): string | undefined {
  if (left === '*' && right === '*') {
    return undefined;
  }
  if (left === '*' || left === '?') {
    return right === '*' ? '?' : right;
  }
  return right === '*' || right === '?' || left === right ? left : undefined;
}

/** Whether some namespace matches. */
function isPossible(text: string): boolean {
  return text !== '' && !/^-|-$/.test(text) && text.replaceAll('*', '').length <= MAX_NAMESPACE_LENGTH;
}

/** Leaves out patterns of which another one has every namespace. */
function withoutCovered(patterns: readonly NamespacePattern[]): NamespacePattern[] {
  return patterns.filter(
    (pattern, at) =>
      !patterns.some(
        (other, otherAt) => at !== otherAt && covers(other, pattern) && !(covers(pattern, other) && at < otherAt),
      ),
  );
}

/** Whether `outer` matches whatever `inner` does, as its tokens show: what stands for any character needs the same there. */
function covers(outer: NamespacePattern, inner: NamespacePattern): boolean {
  let reachable = withSkippedStars(outer, [0]);
  for (const token of inner) {
    const next = reachable.flatMap((at) => {
      const ofOuter = outer[at];
      const isSame = ofOuter !== undefined && token !== '*' && (ofOuter === '?' || ofOuter === token);
      return ofOuter === '*' ? [at] : isSame ? [at + 1] : [];
    });
    reachable = withSkippedStars(outer, next);
  }
  return reachable.includes(outer.length);
}

/** The positions, and those behind a star that may stand for nothing. */
function withSkippedStars(pattern: NamespacePattern, positions: readonly number[]): number[] {
  return [...new Set(positions.flatMap((at) => (pattern[at] === '*' ? [at, at + 1] : [at])))];
}
