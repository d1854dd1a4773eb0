/** Name and password of the role that the API has in tests, as in production one of its own. */
export const API_ROLE = 'slipway_api';
