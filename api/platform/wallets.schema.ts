import Type, { type Static } from 'typebox';
import { WALLET_EVENTS, WALLET_ROLES } from '../../domain/wallet-roles.ts';
import { GrowingPaginationSchema } from '../answers/pages.ts';
import { address, count, moment, nullable, record } from '../answers/fields.ts';

export const RoleSchema = Type.Enum([...WALLET_ROLES], {
  title: 'WalletRole',
  description:
    '`treasury` gets fees and pays for dev buys and purchases; `platform` pays for transactions; `rewards` withdraws the tax ' +
    'of reward coins; `restock` buys quote tokens; `receipts` signs receipts and holds nothing; `lane` is a mint whose supply counts transactions; `launch` pays for one ' +
    'launch; `pot` holds the rewards of one coin',
});

const WalletSchema = record(
  {
    number: count('Place in the list, from 1 and without gaps'),
    role: RoleSchema,
    address: address('The address'),
    mint: nullable(address('The coin of a launch wallet or pot; null for all others')),
    event: Type.Enum([...WALLET_EVENTS], {
      title: 'WalletChange',
      description: '`used`: it has this role from the slot on; `retired`: it no longer has it',
    }),
    slot: count('Slot from which this holds'),
    notedAt: moment('When this entry was written'),
  },
  'An address of the platform, from a slot on',
  'PlatformWallet',
);

export const WalletsSchema = record({
  wallets: Type.Array(WalletSchema, { description: 'The oldest first. Entries are only ever added' }),
  pagination: GrowingPaginationSchema,
});

export type WalletsAnswer = Static<typeof WalletsSchema>;
