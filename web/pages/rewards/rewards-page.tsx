/** Comes with the next change. */
export default function RewardsPage({ wallet }: { readonly wallet?: string }) {
  return <h1>Rewards {wallet}</h1>;
}
