import { Injectable } from '@nestjs/common';
import { isObject, Store, type LogPoint } from '@palisade/domain';
import { CompactSign, compactVerify, errors, type JWK } from 'jose';
import { SIGNING_ALGORITHM, SigningKey } from '../signing-key.js';

// RFC 7515 §4.1.9: keeps a seal from being taken for a token.
const TYPE = 'palisade-log-seal';

/** What the log was at a time. Whoever keeps it can show later that nothing before its position was changed or cut off. */
export interface SignedSeal extends LogPoint {
  readonly time: Date;
  /** Position, seal and time as a compact JWS (RFC 7515). */
  readonly signature: string;
}

/** Seals of the log, signed with a key that every process of the installation has. */
@Injectable()
export class LogSeals {
  private readonly key: SigningKey;

  constructor(private readonly store: Store) {
    this.key = new SigningKey(store, 'log');
  }

  /** The log as it is now. */
  async current(): Promise<SignedSeal> {
    const { head } = await this.store.log.ends();
    return this.sign(head, new Date());
  }

  async sign({ position, seal }: LogPoint, time: Date): Promise<SignedSeal> {
    const { privateKey, publicJwk } = await this.key.get();
    const payload = Buffer.from(JSON.stringify({ position, seal, time: time.toISOString() }));
    const signature = await new CompactSign(payload)
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TYPE, kid: publicJwk.kid })
      .sign(privateKey);
    return { position, seal, time, signature };
  }

  /** The point that a signature is for; undefined when this installation has not signed it. */
  async open(signature: string): Promise<LogPoint | undefined> {
    const { publicKey } = await this.key.get();
    try {
      const { payload, protectedHeader } = await compactVerify(signature, publicKey, {
        algorithms: [SIGNING_ALGORITHM],
      });
      return protectedHeader.typ === TYPE ? pointOf(JSON.parse(Buffer.from(payload).toString())) : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) {
        return undefined;
      }
      throw error;
    }
  }

  /** To verify signatures with. */
  async publicKey(): Promise<JWK> {
    return (await this.key.get()).publicJwk;
  }
}

function pointOf(payload: unknown): LogPoint | undefined {
  const { position, seal } = isObject(payload) ? payload : {};
  return Number.isSafeInteger(position) && typeof seal === 'string' ? { position: Number(position), seal } : undefined;
}
