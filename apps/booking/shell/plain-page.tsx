/** The frame of a page with nothing but its content: the way home above it, the footer below. */
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { PageFooter } from './page-footer.tsx';
import { useSite } from './site.ts';

export function PlainPage({ children }: { children: ReactNode }) {
  const site = useSite();
  return (
    <div className="order">
      <header className="order-head">
        <Link to="/" className="brand">
          <img src="/images/logo.svg" alt="" width={40} height={40} /> <span>{site.name}</span>
          <span className="visually-hidden">: tutti gli spettacoli</span>
        </Link>
      </header>
      <main className="content" tabIndex={-1}>
        {children}
      </main>
      <PageFooter />
    </div>
  );
}
