/** Page, counted from 1, and its size. */
export interface Paging {
  readonly page: number;
  readonly pageSize: number;
}
