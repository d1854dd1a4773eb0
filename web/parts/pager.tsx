export interface Pagination {
  readonly page: number;
  readonly totalPages: number;
  readonly total: number;
}

export function Pager({
  pagination,
  onPage,
}: {
  readonly pagination: Pagination;
  readonly onPage: (page: number) => void;
}) {
  const { page, totalPages } = pagination;
  if (totalPages <= 1) return null;
  return (
    <nav className="pager" aria-label="Pages">
      <button type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        ← Back
      </button>
      <span>
        Page {page} of {totalPages}
      </span>
      <button type="button" disabled={page >= totalPages} onClick={() => onPage(page + 1)}>
        Next →
      </button>
    </nav>
  );
}
