import type { WalletAccount } from '@wallet-standard/base';
import type { StandardWallet } from '../../client/index.ts';
import { isAddress } from '../../client/solana/bytes.ts';

type Sign = StandardWallet<WalletAccount>['features']['solana:signTransaction'];

/** A wallet that is read once: later changes cannot bypass validation. */
export interface SigningWallet extends StandardWallet<WalletAccount> {
  /** Null without an icon. */
  readonly icon: string | null;
  /** First account. `silent` does not prompt. Rejects if none is shared. */
  readonly connect: (silent: boolean) => Promise<WalletAccount>;
  /** First account, whenever it may have changed; returns an unsubscribe function. */
  readonly watch: (onChange: (account: WalletAccount | undefined) => void) => () => void;
}

const MOST_NAME_LETTERS = 60;
const MOST_ICON_LETTERS = 300_000;

/** Control characters and direction marks. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Null if it cannot sign here, is malformed or throws. */
export function readWallet(wallet: unknown): SigningWallet | null {
  try {
    const [name, features] = [fieldOf(wallet, 'name'), fieldOf(wallet, 'features')];
    const sign = fieldOf(features, 'solana:signTransaction');
    const connect = fieldOf(features, 'standard:connect');
    if (!isName(name) || !isSign(sign) || !hasMethod(connect, 'connect')) return null;
    const events = fieldOf(features, 'standard:events');
    return {
      name,
      icon: iconOf(fieldOf(wallet, 'icon')),
      features: { 'solana:signTransaction': sign },
      connect: async (silent) => firstOf(name, await connect.connect({ silent })),
      watch: (onChange) => (hasMethod(events, 'on') ? watchedBy(events, onChange) : () => undefined),
    };
  } catch {
    return null;
  }
}

function firstOf(name: string, answer: unknown): WalletAccount {
  const account = accountIn(fieldOf(answer, 'accounts'));
  if (account) return account;
  throw new Error(`${name} shared no account`);
}

/** Watches account changes; ignores those without an account list. An invalid first account counts as none. */
function watchedBy(
  events: { on: (...given: unknown[]) => unknown },
  onChange: (account: WalletAccount | undefined) => void,
): () => void {
  const off = events.on('change', (change: unknown) => {
    const accounts = fieldOf(change, 'accounts');
    if (Array.isArray(accounts)) onChange(accountIn(accounts));
  });
  return () => {
    if (isEnding(off)) off();
  };
}

const isEnding = (value: unknown): value is () => void => typeof value === 'function';

function accountIn(accounts: unknown): WalletAccount | undefined {
  if (!Array.isArray(accounts)) return undefined;
  const account: unknown = accounts[0];
  return isAccount(account) ? account : undefined;
}

function isAccount(value: unknown): value is WalletAccount {
  const address = fieldOf(value, 'address');
  return typeof address === 'string' && isAddress(address);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MOST_NAME_LETTERS && !HIDDEN.test(value);
}

function iconOf(value: unknown): string | null {
  const isIcon = typeof value === 'string' && value.startsWith('data:image/') && value.length <= MOST_ICON_LETTERS;
  return isIcon ? value : null;
}

function isSign(value: unknown): value is Sign {
  return hasMethod(value, 'signTransaction');
}

function hasMethod<Name extends string>(
  value: unknown,
  name: Name,
): value is Record<Name, (...given: unknown[]) => unknown> {
  return typeof fieldOf(value, name) === 'function';
}

/** A getter may throw. */
function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
