import { createHash } from 'node:crypto';

const LENGTH = 40;
/** So much of a secret is as good as the whole for whoever wants to guess the rest. */
const PREFIX_LENGTH = 12;
const BASE64_ALIGNMENTS = 3;

/** Secrets that stand nowhere else, to be given to programs and then looked for in what these say. */
export class PlantedSecrets {
  private readonly byRole = new Map<string, string>();

  /** The secret of this name, 40 hexadecimal digits: always the same one. */
  plant(role: string): string {
    const secret = createHash('sha256').update(`palisade ${role}`).digest('hex').slice(0, LENGTH);
    this.byRole.set(role, secret);
    return secret;
  }

  /** A secret that a program has made. */
  add(role: string, secret: string): void {
    this.byRole.set(role, secret);
  }

  /**
   * Which secrets a text holds, in which form: as they are, in hexadecimal, or in base64 at any position of what was
   * encoded; the first 12 characters are enough.
   */
  foundIn(text: string): string[] {
    return [...this.byRole].flatMap(([role, secret]) =>
      formsOf(secret)
        .filter(({ form }) => text.includes(form))
        .map(({ name, form }) => `${role} (${name}): …${contextOf(text, form)}…`),
    );
  }
}

interface Form {
  readonly name: string;
  readonly form: string;
}

function formsOf(secret: string): Form[] {
  const prefix = secret.slice(0, PREFIX_LENGTH);
  const hexadecimal = Buffer.from(prefix).toString('hex');
  const forms = [
    { name: 'plain', form: prefix },
    { name: 'hexadecimal', form: hexadecimal },
    { name: 'HEXADECIMAL', form: hexadecimal.toUpperCase() },
    { name: 'percent', form: hexadecimal.replaceAll(/../g, '%$&') },
  ];
  for (let before = 0; before < BASE64_ALIGNMENTS; before += 1) {
    for (const encoding of ['base64', 'base64url'] as const) {
      forms.push({ name: `${encoding} +${before}`, form: inBase64(prefix, before, encoding) });
    }
  }
  return forms;
}

/** What is the same whatever stands before, which is so many bytes and any number of threes, and behind. */
function inBase64(text: string, before: number, encoding: 'base64' | 'base64url'): string {
  const encoded = Buffer.from(`${'\0'.repeat(before)}${text}`)
    .toString(encoding)
    .replaceAll('=', '');
  const mixedBefore = Math.ceil((before * 4) / 3);
  const mixedBehind = (before + text.length) % 3 === 0 ? 0 : 1;
  return encoded.slice(mixedBefore, encoded.length - mixedBehind);
}

function contextOf(text: string, form: string): string {
  const at = text.indexOf(form);
  return text.slice(Math.max(0, at - 80), at + form.length + 40);
}
