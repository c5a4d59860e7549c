import { describe, expect, it } from '@jest/globals';
import { findFramework } from './frameworks.js';

describe(findFramework.name, () => {
  it.each([
    ['HIPAA', 'HIPAA'],
    ['hipaa', 'HIPAA'],
    ['PCI DSS', 'PCI-DSS'],
    ['pci_dss', 'PCI-DSS'],
    ['PCI-DSS v4.0', 'PCI-DSS'],
    ['SOC 2', 'SOC2'],
    ['SOC2 Type II', 'SOC2'],
    ['ISO 27001', 'ISO27001'],
    ['ISO/IEC 27001:2022', 'ISO27001'],
    ['GDPR', 'GDPR'],
  ])('reads %s as %s', (text, name) => {
    expect(findFramework(text)?.name).toBe(name);
  });

  it.each(['', 'SOC1', 'SOC3', 'ISO 27018', 'ISO', 'HIPAA2', 'constructor'])('does not know %j', (text) => {
    expect(findFramework(text)).toBeUndefined();
  });
});
