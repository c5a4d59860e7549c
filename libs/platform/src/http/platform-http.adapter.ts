import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'express';

/**
 * Express with case-sensitive paths (RFC 3986 §6.2.2.1): a proxy that keeps /metrics from the outside would let /METRICS
 * pass. Express reads the setting when the first route is added, which is before an app can be configured.
 */
export class PlatformHttpAdapter extends ExpressAdapter {
  constructor() {
    super(express().enable('case sensitive routing'));
  }
}
