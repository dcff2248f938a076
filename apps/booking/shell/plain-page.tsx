/** The frame of a page with nothing but its content: the way home above it, the footer below. */
import type { ReactNode } from 'react';
import { PageFooter } from './page-footer.tsx';
import { HomeLink } from './brand.tsx';
import frame from './frame.module.css';

export function PlainPage({ children }: { children: ReactNode }) {
  return (
    <div className={frame.page}>
      <header className={`${frame.column} ${frame.head} no-print`}>
        <HomeLink />
      </header>
      <main className={`${frame.column} ${frame.content}`} tabIndex={-1}>
        {children}
      </main>
      <PageFooter />
    </div>
  );
}
