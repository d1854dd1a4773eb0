import { Component, type ReactNode } from 'react';
import { Notice } from './answered.tsx';

interface Props {
  readonly place: string;
  readonly children: ReactNode;
}

export class LostPart extends Component<Props, { readonly lostAt: string | null }> {
  override state = { lostAt: null };

  override componentDidCatch(): void {
    this.setState({ lostAt: this.props.place });
  }

  override render(): ReactNode {
    if (this.state.lostAt !== this.props.place) return this.props.children;
    return (
      <section className="panel">
        <Notice kind="bad">
          This part of the page could not be shown. What you signed is kept: load the page again, and it goes on.
        </Notice>
        <button type="button" className="button" onClick={() => location.reload()}>
          Load again
        </button>
      </section>
    );
  }
}
