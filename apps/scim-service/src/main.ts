import '@palisade/platform/require-node';

// Imported only now: a Node.js that is too old could not link it, and would fail with a stack.
await import('./service.js');
