export * from './reconcile.ts';
export * from './remedy.ts';
