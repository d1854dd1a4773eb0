import Type, { type Static, type TObject } from 'typebox';
import { ABSOLUTE_PATH } from './absolute-path.ts';
import { readVariables, refuseProblems, type Variables } from './environment.ts';

/** Roles in the signing keys' variables. */
const ROLES = ['TREASURY', 'PLATFORM', 'REWARDS'] as const;
type Role = (typeof ROLES)[number];

export type SignerSource =
  | { readonly kind: 'env'; readonly secretKey: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'aws-kms'; readonly keyId: string };

export interface SignerSources {
  readonly treasury: SignerSource;
  readonly platform: SignerSource;
  readonly rewards: SignerSource;
}

export const signerVariables = {
  TREASURY_SIGNER: signer('TREASURY'),
  PLATFORM_SIGNER: signer('PLATFORM'),
  REWARDS_SIGNER: signer('REWARDS'),
  SIGNERS_IN_ENVIRONMENT: Type.Enum(['0', '1'], {
    default: '0',
    description: '1 allows `…_SIGNER=env` on mainnet, where child processes and crash reports inherit the keys',
  }),
  TREASURY_SECRET_KEY: secretKey('TREASURY', 'Treasury: holds quote tokens, receives fees'),
  PLATFORM_SECRET_KEY: secretKey('PLATFORM', 'Platform wallet: pays network fees, holds platform Fee Keys'),
  REWARDS_SECRET_KEY: secretKey(
    'REWARDS',
    'Rewards authority: withdraws transfer tax, holds Fee Keys of reward launches',
  ),
};

type SignerValues = Static<TObject<typeof signerVariables>>;

/** Reads the sources; call after {@link signerProblems}. */
export function signerSources(values: SignerValues): SignerSources {
  return {
    treasury: sourceOf(values, 'TREASURY'),
    platform: sourceOf(values, 'PLATFORM'),
    rewards: sourceOf(values, 'REWARDS'),
  };
}

export function signerProblems(values: SignerValues): string[] {
  const problems = ROLES.flatMap((role) => roleProblems(values, role));
  const sources = new Set(ROLES.map((role) => JSON.stringify(sourceOf(values, role))));
  if (problems.length > 0 || sources.size === ROLES.length) return problems;
  // A leaked key must not reveal others.
  return ['TREASURY_SECRET_KEY, PLATFORM_SECRET_KEY and REWARDS_SECRET_KEY must be three different keys'];
}

/**
 * Refuses keys in the environment, which child processes and crash reports inherit: no place for keys to real money,
 * unless the operator confirms.
 */
export function signerProductionProblems(values: SignerValues): string[] {
  if (values.SIGNERS_IN_ENVIRONMENT === '1') return [];
  return ROLES.filter((role) => values[`${role}_SIGNER`] === 'env').map(
    (role) => `${role}_SIGNER=env is refused in production; use file:/path or aws-kms:key`,
  );
}

export type SignerRole = Lowercase<Role>;

/**
 * Reads one wallet's key alone.
 *
 * @throws ConfigError
 */
export function readSigner(variables: Variables, name: SignerRole): SignerSource {
  const role = ROLES.find((each) => each.toLowerCase() === name)!;
  const [signerName, keyName] = [`${role}_SIGNER`, `${role}_SECRET_KEY`] as const;
  const schema = Type.Object({ [signerName]: signerVariables[signerName], [keyName]: signerVariables[keyName] });
  const others = { TREASURY_SIGNER: 'env', PLATFORM_SIGNER: 'env', REWARDS_SIGNER: 'env' };
  const values = { ...others, SIGNERS_IN_ENVIRONMENT: '0' as const, ...readVariables(schema, variables) };
  refuseProblems(roleProblems(values, role));
  return sourceOf(values, role);
}

function roleProblems(values: SignerValues, role: Role): string[] {
  const [kind, hasKey] = [values[`${role}_SIGNER`], values[`${role}_SECRET_KEY`] !== undefined];
  if (kind === 'env' && !hasKey) return [`${role}_SECRET_KEY is not set, but ${role}_SIGNER=env needs it`];
  if (kind !== 'env' && hasKey) return [`${role}_SECRET_KEY is set, but ${role}_SIGNER names another place; remove it`];
  return [];
}

function sourceOf(values: SignerValues, role: Role): SignerSource {
  const text = values[`${role}_SIGNER`];
  if (text.startsWith('file:')) return { kind: 'file', path: text.slice('file:'.length) };
  if (text.startsWith('aws-kms:')) return { kind: 'aws-kms', keyId: text.slice('aws-kms:'.length) };
  return { kind: 'env', secretKey: values[`${role}_SECRET_KEY`] ?? '' };
}

function signer(role: Role) {
  return Type.String({
    pattern: `^(env|file:${ABSOLUTE_PATH}|aws-kms:[^\\s]+)$`,
    title: 'env, file:/path or aws-kms:key-id-or-alias',
    default: 'env',
    description: `Where the key of ${role}_SECRET_KEY lies; AWS credentials and region as for every AWS client`,
  });
}

function secretKey(role: Role, description: string) {
  return Type.Optional(
    Type.String({
      pattern: '^[1-9A-HJ-NP-Za-km-z]{85,90}$',
      title: '64 bytes in base58',
      description: `${description}; with ${role}_SIGNER=env`,
      writeOnly: true,
    }),
  );
}
