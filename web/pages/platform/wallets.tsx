import { useState } from 'react';
import { readWallets, type WalletEntry } from '../../../client/verify/wallets/wallet-list.ts';
import { api } from '../../api/api.ts';
import { growingPages } from '../../api/growing-pages.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { verifyWalletsCommand } from '../../format/commands.ts';
import { count } from '../../format/numbers.ts';
import { Answered, Notice } from '../../parts/answered.tsx';
import { Command } from '../../parts/command.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { type Choice, Segments } from '../../parts/segments.tsx';
import { Table } from '../../parts/table.tsx';
import { shownTenures } from '../../proof/tenures.ts';

const EVERY_MS = 60_000;

type Role = WalletEntry['role'];
/** Their number grows with the launches. */
type ManyRole = 'lane' | 'pot' | 'launch';

/** A few addresses of each. */
const OWN: readonly Role[] = ['treasury', 'platform', 'rewards', 'restock', 'receipts'];

const GROUPS: readonly Choice<'own' | ManyRole>[] = [
  ['own', 'Own wallets'],
  ['pot', 'Pots'],
  ['launch', 'Launch wallets'],
  ['lane', 'Lanes'],
];

const DOES: Readonly<Record<Role, string>> = {
  treasury: 'gets fees, pays for purchases',
  platform: 'pays for transactions, seals rounds',
  rewards: 'withdraws the tax of reward coins',
  restock: 'buys quote tokens',
  receipts: 'signs receipts, holds nothing',
  lane: 'its supply counts transactions',
  launch: 'pays for one launch',
  pot: 'holds the rewards of one coin',
};

export function Wallets() {
  const [group, setGroup] = useState<'own' | ManyRole>('own');
  return (
    <section className="panel" aria-labelledby="platform-wallets-title">
      <h2 id="platform-wallets-title">Wallets of the platform</h2>
      <p className="hint">
        Every address that the platform uses, from the slot on at which it has its role. Entries are only ever added.
      </p>
      <Segments label="Wallets" choices={GROUPS} value={group} onChange={setGroup} />
      {group === 'own' ? <OwnWallets /> : <ManyWallets key={group} role={group} />}
      <Command text={verifyWalletsCommand(api.url)} />
    </section>
  );
}

function OwnWallets() {
  const asked = useAnswer(['wallets', 'own'], readOwn, { everyMs: EVERY_MS });
  return <Answered asked={asked}>{(entries) => <Tenures entries={entries} hasMore={false} />}</Answered>;
}

async function readOwn(): Promise<readonly WalletEntry[]> {
  return (await Promise.all(OWN.map((role) => readWallets(api, role)))).flat();
}

function ManyWallets({ role }: { readonly role: ManyRole }) {
  const [most, setMost] = useState(1);
  const [read] = useState(() =>
    growingPages((query, signal) => api.ask('GET /platform/wallets', { query: { ...query, role }, signal })),
  );
  const asked = useAnswer(['wallets', role, most], (signal) => read(most, signal), { everyMs: EVERY_MS });
  return (
    <Answered asked={asked}>
      {(pages) => {
        const hasMore = pages.at(-1)?.pagination.hasMore === true;
        return (
          <>
            <Tenures entries={pages.flatMap(({ wallets }) => wallets)} hasMore={hasMore} />
            {hasMore && (
              <button type="button" className="button quiet" onClick={() => setMost(most + 1)}>
                Read on
              </button>
            )}
          </>
        );
      }}
    </Answered>
  );
}

function Tenures({ entries, hasMore }: { readonly entries: readonly WalletEntry[]; readonly hasMore: boolean }) {
  const shown = shownTenures(entries);
  if (shown.problem !== null) return <Notice kind="bad">The list contradicts itself. {shown.problem}</Notice>;
  if (shown.tenures.length === 0) return <p className="empty">None yet.</p>;
  return (
    <Table
      label="Wallets"
      columns={['Role', 'Address', { figures: 'From slot' }, { figures: 'To slot' }, 'It', 'Coin']}
    >
      {shown.tenures.map(({ entry: { number, role, address, mint }, from, until }) => (
        <tr key={number}>
          <td>{role}</td>
          <td>
            <OnChain kind="address" id={address} what={role} letters={6} />
          </td>
          <td className="right">{count(from)}</td>
          <td className="right">{until === null ? (hasMore ? 'not read yet' : 'now') : count(until)}</td>
          <td>{DOES[role]}</td>
          <td>{mint !== null && <OnChain kind="address" id={mint} what="coin" />}</td>
        </tr>
      ))}
    </Table>
  );
}
