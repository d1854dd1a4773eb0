export const SWITCH_VALUES = {
  launching: ['on', 'off'],
  claiming: ['on', 'off'],
  devBuys: ['on', 'off'],
  airdrops: ['on', 'off'],
  /** `admin`: they need the password header. */
  rewardLaunches: ['open', 'admin', 'off'],
} as const;

export type SwitchName = keyof typeof SWITCH_VALUES;

/** @example `SwitchValue<'launching'>` is `'on' | 'off'` */
export type SwitchValue<Name extends SwitchName = SwitchName> = (typeof SWITCH_VALUES)[Name][number];

export type Switches = { readonly [Name in SwitchName]: SwitchValue<Name> };

/** An airdrop needs a reward launch. */
export function areAirdropsOffered({ airdrops, rewardLaunches }: Switches): boolean {
  return airdrops === 'on' && rewardLaunches !== 'off';
}

export function isSwitchName(name: string): name is SwitchName {
  return Object.hasOwn(SWITCH_VALUES, name);
}

export function isSwitchValue<Name extends SwitchName>(name: Name, value: string): value is SwitchValue<Name> {
  return (SWITCH_VALUES[name] as readonly string[]).includes(value);
}
