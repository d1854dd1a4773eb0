import { Link } from 'wouter';
import { useTitle } from '../parts/use-title.ts';

export function NotFoundPage() {
  useTitle('Not found');
  return (
    <section className="empty">
      <h1>There is nothing here</h1>
      <p>The address may be mistyped.</p>
      <Link className="button" href="/">
        Explore tokens
      </Link>
    </section>
  );
}
