/** One instruction of a Dockerfile, its lines joined. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
  /** The stage that it is in, from 0. */
  readonly stage: number;
}

export function parseDockerfile(content: string): Instruction[] {
  const lines = content
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '');
  let stage = -1;
  return lines.map((line) => {
    const [name = '', ...rest] = line.split(' ');
    stage += name === 'FROM' ? 1 : 0;
    return { name, text: rest.join(' '), stage };
  });
}

/** Instructions of the stage that becomes the image. */
export function lastStageOf(instructions: readonly Instruction[]): Instruction[] {
  const last = Math.max(...instructions.map(({ stage }) => stage));
  return instructions.filter(({ stage }) => stage === last);
}

/** Paths that a COPY takes from the build context; none of those that it takes from another stage. */
export function contextSourcesOf({ name, text }: Instruction): string[] {
  return name !== 'COPY' || text.startsWith('--from=') ? [] : text.split(' ').slice(0, -1);
}

/** Tells by a .dockerignore whether a path is left out of the build context: the last pattern that matches decides. */
export function createIgnoreFilter(content: string): (path: string) => boolean {
  const rules = content
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: toPattern(line.replace(/^!/, '')) }));
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.isKept === false;
}

/** Whoever names a directory names what is in it. */
function toPattern(glob: string): RegExp {
  const source = glob
    .split(/(\*\*\/|\*)/)
    .map((part) =>
      part === '**/' ? '(?:.*/)?' : part === '*' ? '[^/]*' : part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`),
    )
    .join('');
  return new RegExp(`^${source}(?:/|$)`);
}
