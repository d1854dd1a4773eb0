import { type ReactNode, useEffect } from 'react';
import { usePairs } from '../../api/pairs.ts';
import type { Stats } from '../../api/types.ts';
import { usd } from '../../format/numbers.ts';
import { bytesOf, isolated } from '../../format/texts.ts';
import { allChoices, type Choice, Segments, type SegmentsProps } from '../../parts/segments.tsx';
import { type Draft, type Problems, TIER_NAMES } from './draft.ts';
import { drawnLogo } from './drawn-logo.ts';
import { Field, TextField } from './field.tsx';
import { EarningsTable } from './earnings.tsx';
import { LogoField } from './logo-field.tsx';
import { IS_TAXED } from '../../../client/launch/check-quote.ts';

interface FormProps {
  readonly draft: Draft;
  readonly problems: Problems;
  readonly config: Stats['config'];
  readonly onChange: (changed: Partial<Draft>) => void;
}

export function LaunchForm(props: FormProps) {
  return (
    <>
      <Group title="The token">
        <Identity {...props} />
      </Group>
      <Group title="Its market">
        <PairField {...props} />
        <Model {...props} />
      </Group>
      <Group title="What you take at the start">
        <DevBuy {...props} />
        {IS_TAXED[props.draft.mode] && props.config.airdropsEnabled && <Airdrop {...props} />}
      </Group>
      <Group title="Where it is found">
        <Links {...props} />
      </Group>
    </>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className="panel form-group">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

function Identity({ draft, problems, config, onChange }: FormProps) {
  const { nameMaxBytes, symbolMaxBytes, logoMaxBytes } = config;
  return (
    <>
      <TextField
        label="Name"
        rule={`${roomLeft(draft.name, nameMaxBytes)} It can never be changed.`}
        value={draft.name}
        problem={problems.name}
        placeholder="Harbour Light"
        onChange={(name) => onChange({ name })}
      />
      <TextField
        label="Symbol"
        rule={roomLeft(draft.symbol, symbolMaxBytes)}
        value={draft.symbol}
        problem={problems.symbol}
        placeholder="HARBOR"
        onChange={(symbol) => onChange(draft.isLogoDrawn ? { symbol, logo: drawnLogo(symbol) } : { symbol })}
      />
      <LogoField
        value={draft.logo}
        mostBytes={logoMaxBytes}
        problem={problems.logo}
        onChange={(logo) => onChange({ logo, isLogoDrawn: false })}
        onDraw={() => onChange({ logo: drawnLogo(draft.symbol), isLogoDrawn: true })}
      />
    </>
  );
}

/** Bytes are what counts: a letter outside of English, or an emoji, takes two to four. */
function roomLeft(text: string, most: number): string {
  const left = most - bytesOf(text);
  return /^[\x20-\x7e]*$/.test(text)
    ? `Up to ${most} letters, ${Math.max(0, left)} left.`
    : `Up to ${most} bytes, ${Math.max(0, left)} left: accents and emoji take more than one.`;
}

function PairField({ draft, problems, config, onChange }: FormProps) {
  const pairs = (usePairs().data ?? []).filter(({ launchable }) => launchable);
  const [first] = pairs;
  useEffect(() => {
    if (draft.quoteMint === '' && first) onChange({ quoteMint: first.mint });
  }, [draft.quoteMint, first?.mint]);
  return (
    <Field
      label="Paired with"
      rule={`Your token is bought with this one, and fees are earned in it. The pool opens at a market cap of ${usd(config.openingMarketCapUsd)}.`}
      problem={problems.quoteMint}
    >
      {(ids) => (
        <select {...ids} value={draft.quoteMint} onChange={({ target }) => onChange({ quoteMint: target.value })}>
          {first === undefined && <option value="">Choose a token</option>}
          {pairs.map(({ mint, symbol, name, priceUsd, symbolAmbiguous }) => (
            <option key={mint} value={mint}>
              {isolated(symbol)} · {isolated(name)} · {usd(priceUsd)}
              {symbolAmbiguous && ` · ${mint.slice(0, 6)}…`}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

const MODES = allChoices<Draft['mode']>({ standard: 'Standard', reward: 'Reward' });
const MODE_RULES: Readonly<Record<Draft['mode'], string>> = {
  standard: 'You earn a share of the trading fees for as long as it is traded, and claim them when you like.',
  reward:
    'A tax on every transfer is paid to those who hold the token. You earn no fees. The tax can never be changed.',
};
const FEE_TIERS = allChoices(TIER_NAMES);
const TAXES = allChoices<Draft['rewardTaxBps']>({ '100': '1 %', '300': '3 %' });

function Model({ draft, config, problems, onChange }: FormProps) {
  const { mode, feeTier, rewardTaxBps, feeRecipient } = draft;
  return (
    <>
      <Choose
        label="Kind"
        rule={MODE_RULES[mode]}
        choices={MODES}
        value={mode}
        onChange={(chosen) => onChange({ mode: chosen })}
      />
      {IS_TAXED[mode] && config.rewardLaunchesAdminOnly && (
        <p className="rule">Reward launches are open to administrators only at present.</p>
      )}
      {!IS_TAXED[mode] ? (
        <>
          <Choose
            label="Fee of the pool"
            rule="What each trade pays. A higher fee earns you more of each trade, and may mean fewer trades."
            choices={FEE_TIERS}
            value={feeTier}
            onChange={(tier) => onChange({ feeTier: tier })}
          />
          <TextField
            label="Who gets the fees"
            optional
            rule="Another wallet gets the Fee Key, and you cannot take it back. Without one, the wallet that you launch with gets it."
            value={feeRecipient}
            problem={problems.feeRecipient}
            onChange={(wallet) => onChange({ feeRecipient: wallet.trim() })}
          />
        </>
      ) : (
        <Choose
          label="Tax on transfers"
          rule="Paid to holders in the paired token. The launch’s own deposit is taxed too: that part of the supply is burned."
          choices={TAXES}
          value={rewardTaxBps}
          onChange={(bps) => onChange({ rewardTaxBps: bps })}
        />
      )}
      <EarningsTable draft={draft} />
    </>
  );
}

interface ChooseProps<T extends string> extends SegmentsProps<T> {
  readonly rule: string;
}

function Choose<T extends string>({ rule, ...segments }: ChooseProps<T>) {
  return (
    <div className="form-field">
      <span className="label" aria-hidden="true">
        {segments.label}
      </span>
      <div>
        <Segments {...segments} />
      </div>
      <p className="rule">{rule}</p>
    </div>
  );
}

const DEV_BUYS: readonly Choice<Draft['devBuyBy']>[] = [
  ['none', 'None'],
  ['percent', 'Share'],
  ['sol', 'SOL'],
];

function DevBuy({ draft, problems, config, onChange }: FormProps) {
  const { devBuyBy, devBuy } = draft;
  if (!config.devBuysEnabled) return <p className="rule">Dev buys are switched off at present.</p>;
  const most = `at most ${config.devBuyMaxPercent} % of the supply`;
  return (
    <>
      <Choose
        label="Dev buy"
        rule={`Buy some yourself in the same bundle, before anybody else can: ${most}.`}
        choices={DEV_BUYS}
        value={devBuyBy}
        onChange={(by) => onChange({ devBuyBy: by })}
      />
      {devBuyBy !== 'none' && (
        <TextField
          label={devBuyBy === 'percent' ? 'Share of the supply, percent' : 'SOL to spend'}
          rule={devBuyBy === 'percent' ? `Above 0, ${most}.` : `Above 0; buys ${most}, and costs only what it buys.`}
          value={devBuy}
          problem={problems.devBuy}
          inputMode="decimal"
          placeholder={devBuyBy === 'percent' ? '1' : '0.5'}
          onChange={(value) => onChange({ devBuy: value })}
        />
      )}
    </>
  );
}

const TIERS = allChoices<Draft['airdropTier']>({ top100: '100 wallets', top1000: '1,000', top5000: '5,000' });

function Airdrop({ draft, problems, config, onChange }: FormProps) {
  return (
    <>
      <TextField
        label="Airdrop to holders of the paired token, percent of the supply"
        optional
        rule={`Above 0, at most ${config.airdropMaxPercent} %. Everybody gets the same, within minutes after the launch. The delivery costs you 0.216 SOL for a hundred wallets.`}
        value={draft.airdropPercent}
        problem={problems.airdropPercent}
        inputMode="decimal"
        onChange={(airdropPercent) => onChange({ airdropPercent })}
      />
      {draft.airdropPercent !== '' && (
        <Choose
          label="How many of its greatest holders"
          rule="Exchanges, programs and wallets of the platform are left out."
          choices={TIERS}
          value={draft.airdropTier}
          onChange={(airdropTier) => onChange({ airdropTier })}
        />
      )}
    </>
  );
}

function Links({ draft, problems, onChange }: FormProps) {
  return (
    <>
      <TextField
        label="Website"
        optional
        rule="A public https address of at most 200 characters. Without one, the token’s page here."
        value={draft.website}
        problem={problems.website}
        inputMode="url"
        placeholder="https://"
        onChange={(website) => onChange({ website: website.trim() })}
      />
      <TextField
        label="X"
        optional
        rule="@name, x.com/name, or an https address of X."
        value={draft.twitter}
        onChange={(twitter) => onChange({ twitter: twitter.trim() })}
      />
      <TextField
        label="Telegram"
        optional
        rule="@name, t.me/name, or an https address of Telegram."
        value={draft.telegram}
        onChange={(telegram) => onChange({ telegram: telegram.trim() })}
      />
    </>
  );
}
