/** Isolated: it cannot reverse its surroundings. */
export function CreatorText({ children }: { readonly children: string }) {
  return <bdi className="creator-text">{children}</bdi>;
}
