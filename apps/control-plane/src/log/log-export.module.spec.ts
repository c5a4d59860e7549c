import { pathToFileURL } from 'node:url';
import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { Store } from '@palisade/domain';
import { LogSeals, Metrics } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { appendSealed, temporaryDirectory } from '../../test/support/log-samples.js';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { ControlPlaneConfig, loadConfig } from '../config/control-plane.config.js';
import { LogRetention } from './log-retention.js';
import { LogExportModule } from './log-export.module.js';
import { DirectorySink } from './directory-sink.js';
import { verifyExport } from './verify-export.js';

const { signal } = new AbortController();

async function createRetention(store: Store, settings: object): Promise<LogRetention> {
  const providers = [
    Metrics,
    { provide: Store, useValue: store },
    { provide: ControlPlaneConfig, useValue: loadConfig({}) },
    { provide: LogSeals, useValue: new LogSeals(store) },
    { provide: ControlPlaneSettings, useValue: { compliance: { auditRetentionDays: 10 }, ...settings } },
  ];
  @Global()
  @Module({ providers, exports: [Metrics, LogSeals, Store, ControlPlaneConfig, ControlPlaneSettings] })
  class SurroundingModule {}
  const module = await Test.createTestingModule({ imports: [SurroundingModule, LogExportModule] }).compile();
  return module.get(LogRetention);
}

describe(LogExportModule.name, () => {
  it('exports to the audit backend of the settings', async () => {
    await using directory = await temporaryDirectory();
    const store = new MemoryStore();
    await appendSealed(store.log, 3);
    const retention = await createRetention(store, { auditBackend: pathToFileURL(directory.path) });

    await retention.applyRetention(new Date('2026-11-21T00:00:00Z'), signal);

    expect(await verifyExport(new DirectorySink(directory.path))).toMatchObject({ isValid: true, records: 3 });
  });

  it('exports nothing without one', async () => {
    const retention = await createRetention(new MemoryStore(), {});

    expect(await retention.applyRetention(new Date('2026-11-21T00:00:00Z'), signal)).toEqual({ removed: 0 });
  });
});
