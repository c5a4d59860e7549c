import { formatPath, isWithin, type Path } from './path.js';
import { showValue } from './show-value.js';

/** More help nobody. */
const MAX_FINDINGS = 200;

export interface Finding {
  readonly path: Path;
  /** For people; says what was expected and what was found. */
  readonly text: string;
}

/** What was found in a file: problems, which forbid its use, and warnings, which the operator should read. */
export class Findings {
  readonly #problems: Finding[] = [];
  readonly #warnings: Finding[] = [];
  #omittedProblems = 0;
  #omittedWarnings = 0;

  get problems(): readonly Finding[] {
    return this.#problems;
  }

  get warnings(): readonly Finding[] {
    return this.#warnings;
  }

  /** Whether further problems are only counted. */
  get isFull(): boolean {
    return this.#problems.length >= MAX_FINDINGS;
  }

  /** How many were left out, as there were too many to keep. */
  get omitted(): { readonly problems: number; readonly warnings: number } {
    return { problems: this.#omittedProblems, warnings: this.#omittedWarnings };
  }

  /** Only the first problem of a path is kept: the next ones follow from it. */
  problem(path: Path, text: string): void {
    if (this.isFull) {
      this.#omittedProblems += 1;
    } else if (!this.#problems.some((each) => each.path.length === path.length && isWithin(each.path, path))) {
      this.#problems.push({ path, text });
    }
  }

  expected(path: Path, expected: string, found: unknown, explanation?: string): void {
    this.problem(path, `expected ${expected}, found ${showValue(found)}${explanation ? `; ${explanation}` : ''}`);
  }

  warning(path: Path, text: string): void {
    if (this.#warnings.length >= MAX_FINDINGS) {
      this.#omittedWarnings += 1;
    } else {
      this.#warnings.push({ path, text });
    }
  }

  /** Whether neither the value at the path, nor what contains it, nor what it contains has a problem. */
  isSound(path: Path): boolean {
    return !this.#problems.some((each) => isWithin(each.path, path) || isWithin(path, each.path));
  }

  /** Whether the value at the path has the form that it should have; what it contains may have problems. */
  hasForm(path: Path): boolean {
    return !this.#problems.some((each) => isWithin(path, each.path));
  }
}

export function formatFinding({ path, text }: Finding): string {
  return path.length === 0 ? text : `${formatPath(path)}: ${text}`;
}
