/** The frame of a simple page: the bar above, the content, the footer. */
import type { ReactNode } from 'react';
import { PageFooter } from './page-footer.tsx';
import { PageBar } from './page-bar.tsx';
import frame from './frame.module.css';

export function PlainPage({ children }: { children: ReactNode }) {
  return (
    <div className={frame.page}>
      <header className={`${frame.column} no-print`}>
        <PageBar />
      </header>
      <main className={`${frame.column} ${frame.content}`} tabIndex={-1}>
        {children}
      </main>
      <PageFooter />
    </div>
  );
}
