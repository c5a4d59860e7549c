import { createHash } from 'node:crypto';
import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  type ListObjectsV2CommandOutput,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { SinkUnavailableError } from './log.errors.js';
import { SegmentSink } from './segment-sink.js';
import { isSegmentName } from './segment.js';

const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_ATTEMPTS = 3;

/**
 * Objects below a prefix of a bucket, at Amazon S3 or a server that speaks its protocol. Credentials, region and endpoint
 * are those that the AWS SDK finds in its environment (`AWS_ACCESS_KEY_ID`, `AWS_REGION`, `AWS_ENDPOINT_URL` …); buckets
 * are addressed by path.
 */
export class S3Sink extends SegmentSink {
  override readonly location: string;
  private readonly client: S3Client;

  /** @param prefix empty, or names with `/` between */
  constructor(
    private readonly bucket: string,
    private readonly prefix: string,
    options: S3ClientConfig = {},
  ) {
    super();
    this.location = `s3://${bucket}/${prefix}`;
    this.client = new S3Client({
      forcePathStyle: true,
      followRegionRedirects: true,
      maxAttempts: MAX_ATTEMPTS,
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
      ...options,
    });
  }

  override list(): Promise<string[]> {
    return this.attempt(async () => {
      const names: string[] = [];
      const prefix = this.keyOf('');
      let token: string | undefined;
      do {
        const page = await this.listPage(prefix, token);
        names.push(...(page.Contents ?? []).map(({ Key = '' }) => Key.slice(prefix.length)));
        token = page.NextContinuationToken;
      } while (token !== undefined);
      return names.filter(isSegmentName).toSorted();
    });
  }

  override read(name: string): Promise<string> {
    return this.attempt(async () => {
      const { Body } = await this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: this.keyOf(name) }));
      return (await Body?.transformToString()) ?? '';
    });
  }

  override create(name: string, text: string): Promise<boolean> {
    return this.attempt(async () => {
      try {
        await this.client.send(
          new PutObjectCommand({
            Bucket: this.bucket,
            Key: this.keyOf(name),
            Body: text,
            ContentType: 'application/x-ndjson',
            ChecksumSHA256: createHash('sha256').update(text).digest('base64'),
            IfNoneMatch: '*',
          }),
        );
        return true;
      } catch (error) {
        if (isConflict(error)) {
          return false;
        }
        throw error;
      }
    });
  }

  override close(): void {
    this.client.destroy();
  }

  private listPage(prefix: string, token: string | undefined): Promise<ListObjectsV2CommandOutput> {
    return this.client.send(
      new ListObjectsV2Command({ Bucket: this.bucket, Prefix: prefix, ContinuationToken: token }),
    );
  }

  private keyOf(name: string): string {
    return this.prefix === '' ? name : `${this.prefix}/${name}`;
  }

  /** Whatever the server or the network says, the bucket cannot be used now. */
  private async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new SinkUnavailableError(this.location, { cause: error });
    }
  }
}

/** 412: an object of this name is there; 409: another one writes it at the same time. */
function isConflict(error: unknown): boolean {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  return status === 412 || status === 409;
}
