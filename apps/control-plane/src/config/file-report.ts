import { expectedText, formatProblem, valueAt, type Path, type Problem } from '@palisade/isolation/settings';

/** More would not be read. */
const MAX_FINDINGS = 200;

export interface Position {
  /** Path of the file, when it is another than the one that is read. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
}

/** The problems of a file, which forbid its use, and warnings, which the operator should read. */
export class FileReport {
  readonly #problems: Problem[] = [];
  readonly #warnings: Problem[] = [];
  #omittedProblems = 0;
  #omittedWarnings = 0;

  /** @param input what the file says, as it is written */
  constructor(
    readonly input: unknown,
    problems: readonly Problem[] = [],
  ) {
    this.add(problems);
  }

  /** Whether further problems are only counted. */
  get isFull(): boolean {
    return this.#problems.length >= MAX_FINDINGS;
  }

  /** Whether all problems are kept. */
  get isComplete(): boolean {
    return this.#omittedProblems === 0;
  }

  add(problems: Iterable<Problem>): void {
    for (const { path, text } of problems) {
      this.problem(path, text);
    }
  }

  /** Only the first problem of a path is kept: the next ones follow from it. */
  problem(path: Path, text: string): void {
    if (this.isFull) {
      this.#omittedProblems += 1;
    } else if (!this.#problems.some((each) => each.path.length === path.length && isWithin(each.path, path))) {
      this.#problems.push({ path, text });
    }
  }

  /** A problem that says what stands at the path. */
  expected(path: Path, expected: string): void {
    this.problem(path, expectedText(expected, valueAt(this.input, path)));
  }

  warning(path: Path, text: string): void {
    if (this.#warnings.length >= MAX_FINDINGS) {
      this.#omittedWarnings += 1;
    } else {
      this.#warnings.push({ path, text });
    }
  }

  /** Whether the file has a value there, which is not a default. */
  isGiven(path: Path): boolean {
    return valueAt(this.input, path) !== undefined;
  }

  /** Whether neither the value at the path, nor what contains it, nor what it contains has a problem. */
  isSound(...path: Path): boolean {
    return !this.#problems.some((each) => isWithin(each.path, path) || isWithin(path, each.path));
  }

  /** Whether the value at the path has the form that it should have; what it contains may have problems. */
  hasForm(...path: Path): boolean {
    return !this.#problems.some((each) => isWithin(path, each.path));
  }

  /** Problems and warnings as lines, in the order of the file. */
  format(name?: string, locate?: (path: Path) => Position | undefined) {
    const linesOf = (report: readonly Problem[], omitted: number): readonly string[] => {
      const placed = report
        .map((problem) => ({ problem, position: locate?.(problem.path) }))
        .toSorted((a, b) => comparePositions(a.position, b.position));
      const lines = placed.map(({ problem, position }) =>
        position?.file === undefined
          ? formatPlaced(name, position, formatProblem(problem))
          : formatPlaced(position.file, position, problem.text),
      );
      return Object.freeze(omitted === 0 ? lines : [...lines, `and ${omitted} more`]);
    };
    return {
      problems: linesOf(this.#problems, this.#omittedProblems),
      warnings: linesOf(this.#warnings, this.#omittedWarnings),
    };
  }
}

/** `<name>:12:5 text`. */
export function formatPlaced(name: string | undefined, position: Position | undefined, text: string): string {
  if (name === undefined) {
    return text;
  }
  return position === undefined ? `${name}: ${text}` : `${name}:${position.line}:${position.column} ${text}`;
}

function comparePositions(a: Position | undefined, b: Position | undefined): number {
  const byFile = Number(a?.file !== undefined) - Number(b?.file !== undefined);
  return byFile || (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}

/** Whether `path` is `ancestor` or leads through it. */
function isWithin(path: Path, ancestor: Path): boolean {
  return ancestor.length <= path.length && ancestor.every((part, index) => part === path[index]);
}
