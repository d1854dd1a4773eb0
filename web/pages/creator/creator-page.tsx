/** Comes with the next change. */
export default function CreatorPage({ wallet }: { readonly wallet?: string }) {
  return <h1>Creator {wallet}</h1>;
}
