import Type, { type Static, type TObject } from 'typebox';
import { MOST_PRICE, MOST_TIP_LAMPORTS } from '../domain/launch/launch-price.ts';

export const networkFeeVariables = {
  TIP_FLOOR_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]+$',
      title: 'an http or https URL',
      description:
        'Landed tips, as https://bundles.jito.wtf/api/v1/bundles/tip_floor; without it tips are TIP_MIN_LAMPORTS',
    }),
  ),
  TIP_PERCENTILE: Type.Enum(['25', '50', '75', '95', '99'], {
    default: '75',
    description: 'Percentile of landed tips that a launch pays',
  }),
  TIP_MIN_LAMPORTS: Type.Integer({
    minimum: 1_000,
    maximum: MOST_TIP_LAMPORTS,
    default: 100_000,
    description: 'Least tip of a launch, in lamports',
  }),
  TIP_MAX_LAMPORTS: Type.Integer({
    minimum: 1_000,
    maximum: MOST_TIP_LAMPORTS,
    default: 10_000_000,
    description: 'Most tip of a launch, in lamports; part of the price',
  }),
  PRIORITY_FEE_MIN: Type.Integer({
    minimum: 0,
    maximum: MOST_PRICE,
    default: 50_000,
    description: 'Least priority fee of a launch, in micro-lamports per compute unit',
  }),
  PRIORITY_FEE_MAX: Type.Integer({
    minimum: 0,
    maximum: MOST_PRICE,
    default: 1_000_000,
    description: 'Most priority fee of a launch, in micro-lamports per compute unit',
  }),
};

type NetworkFeeValues = Static<TObject<typeof networkFeeVariables>>;

export interface NetworkFeesConfig {
  readonly tipFloorUrl: string | undefined;
  readonly tipPercentile: NetworkFeeValues['TIP_PERCENTILE'];
  readonly tipLamports: { readonly least: bigint; readonly most: bigint };
  readonly pricePercentile: number;
  readonly computeUnitPrice: { readonly least: bigint; readonly most: bigint };
}

export function networkFeesConfig(values: NetworkFeeValues): NetworkFeesConfig {
  return {
    tipFloorUrl: values.TIP_FLOOR_URL,
    tipPercentile: values.TIP_PERCENTILE,
    tipLamports: { least: BigInt(values.TIP_MIN_LAMPORTS), most: BigInt(values.TIP_MAX_LAMPORTS) },
    pricePercentile: 75,
    computeUnitPrice: { least: BigInt(values.PRIORITY_FEE_MIN), most: BigInt(values.PRIORITY_FEE_MAX) },
  };
}

export function networkFeeProblems(values: NetworkFeeValues): string[] {
  const isWrong = (least: number, most: number) => least > most;
  return [
    ...(isWrong(values.TIP_MIN_LAMPORTS, values.TIP_MAX_LAMPORTS)
      ? [`TIP_MIN_LAMPORTS ${values.TIP_MIN_LAMPORTS} is more than TIP_MAX_LAMPORTS ${values.TIP_MAX_LAMPORTS}`]
      : []),
    ...(isWrong(values.PRIORITY_FEE_MIN, values.PRIORITY_FEE_MAX)
      ? [`PRIORITY_FEE_MIN ${values.PRIORITY_FEE_MIN} is more than PRIORITY_FEE_MAX ${values.PRIORITY_FEE_MAX}`]
      : []),
  ];
}
