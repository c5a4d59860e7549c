import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';

/** A shell into which commands are pasted, as a reader of a page does: what one block sets, the next ones have. */
export class Terminal {
  #shell;
  #lines;

  /** @param {NodeJS.ProcessEnv} env */
  constructor(env, cwd) {
    this.#shell = spawn('sh', ['-s'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#shell.stdout })[Symbol.asyncIterator]();
  }

  /** Resolves to what the commands have printed. */
  async paste(commands) {
    const end = randomUUID();
    this.#shell.stdin.write(`${commands}\nprintf '\\n%s\\n' ${end}\n`);
    const printed = [];
    for (let next = await this.#lines.next(); next.value !== end; next = await this.#lines.next()) {
      if (next.done) {
        throw new Error(`the shell ended at:\n${commands}`);
      }
      printed.push(next.value);
    }
    return printed.join('\n').trim();
  }

  async close() {
    this.#shell.stdin.end();
    await once(this.#shell, 'exit');
  }
}

/** A program that goes on until Ctrl-C in a terminal of its own. */
export class ForegroundProgram {
  #child;
  #ended;
  output = '';

  /** @param {string} command @param {NodeJS.ProcessEnv} env */
  constructor(command, env, cwd) {
    // A group of its own, as a terminal gives it: Ctrl-C goes to everything in it.
    this.#child = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    this.#ended = once(this.#child, 'exit');
    this.#child.stdout.on('data', (chunk) => {
      this.output += chunk;
    });
  }

  /** Resolves when it has printed the text; rejects when it ends without. */
  async printed(text) {
    while (!this.output.includes(text)) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        throw new Error(`it ended without "${text}":\n${this.output}`);
      }
      await Promise.race([once(this.#child.stdout, 'data'), this.#ended]);
    }
  }

  async interrupt() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      process.kill(-this.#child.pid, 'SIGINT');
      await this.#ended;
    }
  }
}
